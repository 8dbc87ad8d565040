/** Taken as they are written: the stream buffers each of thousands of pieces. */
export function collect(document: PDFKit.PDFDocument): () => Buffer<ArrayBuffer> {
  const chunks: Uint8Array[] = []
  let head: unknown
  while ((head = document.read()) instanceof Uint8Array) chunks.push(head)
  document.push = (chunk: Uint8Array | null) => {
    if (chunk) chunks.push(chunk)
    return true
  }
  return () => Buffer.concat(chunks)
}
