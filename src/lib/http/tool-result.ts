import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { problemDocument, type Problem } from '../errors.ts'

/** What a tool answers: the operation's data, or its problem as an error that a model can read and act on. */
export async function resultOf(response: Response): Promise<CallToolResult> {
  const text = await response.text()
  if (!response.ok) return failed(text)
  const data: unknown = text === '' ? null : JSON.parse(text)
  return {
    content: [{ type: 'text', text: text || 'Done.' }],
    ...(isObject(data) && { structuredContent: data }),
    ...(response.headers.has('idempotency-replayed') && { _meta: { idempotencyReplayed: true } }),
  }
}

/** The same for a call of which no request could be made. */
export const refusalOf = (problem: Problem, requestId: string): CallToolResult =>
  failed(JSON.stringify(problemDocument(problem, requestId)))

const failed = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] })

const isObject = (data: unknown): data is Record<string, unknown> =>
  typeof data === 'object' && data !== null && !Array.isArray(data)
