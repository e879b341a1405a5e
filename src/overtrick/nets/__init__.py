"""Networks at run time: versioned features, ONNX inference, batched auctions.
Used by the learned bidders; training makes the networks, this room only runs them."""
