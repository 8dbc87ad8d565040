/** A body that fails before its first byte: the server then cuts the connection without an answer. */
export const brokenOff = (): ReadableStream<Uint8Array> =>
  // With a reason, Bun would log it as a mistake of ours.
  new ReadableStream({ pull: (controller) => controller.error() })
