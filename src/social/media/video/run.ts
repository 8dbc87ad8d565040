import { lowerPriority } from '../processing/priority.ts'

interface Bounds {
  /** Of wall-clock time, and of the processor's time for each of two cores. */
  seconds: number
  /** Of address space. */
  mebibytes: number
  /** Of the largest file that it writes. */
  fileBytes?: number
}

interface Program {
  command: readonly string[]
  bounds: Bounds
  signal?: AbortSignal
  /** Gets standard output line by line; without it, the output is returned. */
  onLine?(line: string): void
}

interface Ran {
  exitCode: number | null
  isLate: boolean
  output: string
  /** The end of standard error. */
  complaint: string
}

const maxOutput = 256 * 1024
const cores = 2

/** It dies with this server, even by SIGKILL, where Linux has `setpriv`. */
const dieWithParent = (() => {
  const setpriv = Bun.which('setpriv')
  return setpriv ? [setpriv, '--pdeathsig', 'KILL'] : []
})()

/** Arguments without spaces of their own. */
export const words = (text: string): string[] => text.split(' ')

/** Runs a program with an empty environment and limits of its time, memory and files. */
export async function runBounded({ command, bounds, signal, onLine }: Program): Promise<Ran> {
  signal?.throwIfAborted()
  const { seconds, mebibytes, fileBytes = 0 } = bounds
  const limits = [`-v ${mebibytes * 1024}`, `-t ${seconds * cores}`, `-f ${Math.ceil(fileBytes / 512)}`]
  // A system that doesn’t know one of them runs the program without it.
  const script = `${limits.map((limit) => `ulimit ${limit} 2>/dev/null`).join('; ')}; exec "$@"`
  const child = Bun.spawn([...dieWithParent, '/bin/sh', '-c', script, 'sh', ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {},
  })
  lowerPriority(child.pid)
  let isLate = false
  const kill = () => child.kill('SIGKILL')
  const timer = setTimeout(() => {
    isLate = true
    kill()
  }, seconds * 1000)
  signal?.addEventListener('abort', kill, { once: true })
  try {
    const [output, complaint] = await Promise.all([
      onLine ? readLines(child.stdout, onLine) : readText(child.stdout, kill),
      readText(child.stderr),
      child.exited,
    ])
    signal?.throwIfAborted()
    return { exitCode: child.exitCode, isLate, output, complaint }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', kill)
    kill()
  }
}

/** The first 256 KiB; `stop` is called for more. */
async function readText(stream: ReadableStream<Uint8Array>, stop?: () => void): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    if (text.length < maxOutput) text += decoder.decode(chunk, { stream: true })
    else stop?.()
  }
  return text
}

async function readLines(stream: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = (lines.pop() ?? '').slice(-1000)
    for (const line of lines) onLine(line)
  }
  return ''
}
