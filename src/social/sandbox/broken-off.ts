/** A body that breaks off in its middle: a handler can't cut its connection, and to the client it is the same. */
export const brokenOff = (): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"id":"')),
    pull: (controller) => controller.error(new Error('The sandbox was told to lose its answer.')),
  })
