"""Networks at run time: versioned features, ONNX inference, batched auctions.
Training makes the networks, this room only runs them."""
