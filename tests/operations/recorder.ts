import type { Call } from '#lib/call.ts'
import type { Context } from '#lib/context.ts'
import { checkResult } from '#lib/http/create-call.ts'
import { withNonce } from '#lib/jsx/jsx-runtime.ts'
import type { Operation } from '#lib/operation.ts'
import { Reply, Stream } from '#lib/reply.ts'
import { unpackReply } from '#lib/response/respond.ts'

/** An operation that a page asked while it loaded. */
export interface Requested {
  name: string
  operation: Operation
  call: Call
  /** By the operation's contract. */
  result: unknown
}

/** Replaces the result of an operation. */
export type Alter = (requested: Pick<Requested, 'name' | 'operation' | 'result'>) => unknown

export interface Recorder {
  /** What the pages that `visit` requests ask, in order. With `alter`, the pages get its results. */
  record(visit: () => Promise<unknown>, alter?: Alter): Promise<Requested[]>
  restore(): void
}

/** Records the operations that pages ask, by wrapping the functions of the declarations until `restore`. */
export function recordPages(contexts: readonly Context[]): Recorder {
  let requested: Requested[] = []
  let alter: Alter | undefined
  /** Requests of pages that are being loaded: what a frame asks isn't the page's. */
  const loading = new Set<unknown>()
  const restores: (() => void)[] = []
  for (const { pages, operations } of contexts) {
    for (const page of pages) {
      const { load } = page
      restores.push(() => void (page.load = load))
      page.load = async (call) => {
        loading.add(call.context)
        return load(call).finally(() => loading.delete(call.context))
      }
    }
    for (const [name, operation] of Object.entries(operations)) {
      const { run } = operation
      restores.push(() => void (operation.run = run))
      operation.run = async (call) => {
        const returned = await run(call)
        if (!loading.has(call.context) || returned instanceof Stream) return returned
        const { status, data, options } = unpackReply(returned, false)
        const reported = alter ? alter({ name, operation, result: data }) : data
        requested.push({ name, operation, call, result: checkResult(operation, reported) })
        return returned instanceof Reply ? new Reply(status, reported, options) : reported
      }
    }
  }
  return {
    record: async (visit, altering) => {
      requested = []
      alter = altering
      await visit()
      return requested
    },
    restore: () => restores.forEach((step) => step()),
  }
}

/** The fragment of what an operation answered, as htmx would get it. */
export const fragmentOf = ({ operation: { view }, result, call }: Requested): Promise<string> =>
  withNonce('none', async () => (view ? await view(result, call) : ''))

/** Markup without what differs in every response. */
export const withoutNonces = (markup: string): string => markup.replaceAll(/nonce="[^"]*"/g, 'nonce=""')
