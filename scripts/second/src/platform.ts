// What js-libp2p uses and Node 20 does not have yet.

type Resolvers<T> = { promise: Promise<T>; resolve: (v: T | PromiseLike<T>) => void; reject: (e?: unknown) => void };

const global_ = Promise as unknown as { withResolvers?: <T>() => Resolvers<T> };
global_.withResolvers ??= <T>() => {
  let resolve!: Resolvers<T>["resolve"];
  let reject!: Resolvers<T>["reject"];
  const promise = new Promise<T>((yes, no) => ([resolve, reject] = [yes, no]));
  return { promise, resolve, reject };
};
