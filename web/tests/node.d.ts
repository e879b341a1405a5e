// What the tests use of Node's own runner.
declare module "node:test" {
  export function test(name: string, run: () => void | Promise<void>): void;
  export function beforeEach(run: () => void): void;
}
declare module "node:assert/strict" {
  export function equal(made: unknown, wanted: unknown): void;
  export function deepEqual(made: unknown, wanted: unknown): void;
}
