/** A form whose files are read while it is sent, any number of times. */
export interface FormBody {
  /** With the boundary. */
  type: string
  length: number
  open(): FormUpload
}

export interface FormUpload {
  /** From its beginning. */
  stream(): ReadableStream<Uint8Array>
  /** One of the streams was read to its end. */
  readonly isSent: boolean
}

type Part = Uint8Array | File

/** Lists are sent as `name[]`, and single files of `lists` under their plain name. */
export function formOf(fields: Readonly<Record<string, unknown>>, lists: readonly string[] = []): FormBody {
  const boundary = `form-${Bun.randomUUIDv7()}`
  const parts: Part[] = []
  const text = new TextEncoder()
  const add = (name: string, value: unknown) => {
    if (value === undefined || value === null) return
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"`
    if (value instanceof File) {
      const file = `; filename="${escapeName(value.name || 'file')}"\r\nContent-Type: ${value.type || 'application/octet-stream'}`
      parts.push(text.encode(`${head}${file}\r\n\r\n`), value, text.encode('\r\n'))
    } else parts.push(text.encode(`${head}\r\n\r\n${typeof value === 'string' ? value : JSON.stringify(value)}\r\n`))
  }
  for (const [name, value] of Object.entries(fields)) {
    if (!Array.isArray(value)) add(name, value)
    else for (const each of value) add(value.length === 1 && lists.includes(name) ? name : `${name}[]`, each)
  }
  parts.push(text.encode(`--${boundary}--\r\n`))
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    length: parts.reduce((sum, part) => sum + (part instanceof File ? part.size : part.byteLength), 0),
    open: () => openUpload(parts),
  }
}

/** As browsers do (HTML, multipart form data). */
const escapeName = (name: string): string => name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')

function openUpload(parts: readonly Part[]): FormUpload {
  let isSent = false
  return {
    stream: () => {
      const bytes = bytesOf(parts)
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const { done, value } = await bytes.next()
            if (!done) return controller.enqueue(value)
            isSent = true
            controller.close()
          },
          cancel: async () => void (await bytes.return(undefined)),
        },
        { highWaterMark: 0 },
      )
    },
    get isSent() {
      return isSent
    },
  }
}

async function* bytesOf(parts: readonly Part[]): AsyncGenerator<Uint8Array, undefined, undefined> {
  for (const part of parts) {
    if (part instanceof File) yield* part.stream()
    else yield part
  }
}
