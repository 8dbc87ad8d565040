/** Creates a body that fails before its first byte: the server closes the connection without a response. */
export const createBrokenStream = (): ReadableStream<Uint8Array> =>
  // With a reason, Bun would log it as an error of the server.
  new ReadableStream({ pull: (controller) => controller.error() })
