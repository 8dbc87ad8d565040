import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { problemDocument, type Problem } from '../errors.ts'

/** What a tool answers: the data, or the problem as an error that a model can read and act on. */
export async function resultOf(response: Response): Promise<CallToolResult> {
  const text = await response.text()
  if (!response.ok) return failed(text || `Status ${response.status}`)
  const data = jsonOf(text)
  return {
    content: [{ type: 'text', text: text || 'Done.' }],
    ...(isObject(data) && { structuredContent: data }),
    ...(response.headers.has('idempotency-replayed') && { _meta: { idempotencyReplayed: true } }),
  }
}

/** The same for a call that could not be made. */
export const refusalOf = (problem: Problem, requestId: string): CallToolResult =>
  failed(JSON.stringify(problemDocument(problem, requestId)))

const failed = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] })

/** An app may answer in other forms than ours. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isObject = (data: unknown): data is Record<string, unknown> =>
  typeof data === 'object' && data !== null && !Array.isArray(data)
