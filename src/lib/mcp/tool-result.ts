import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { problemDocument, type Problem } from '../errors.ts'

export async function readToolResult(response: Response): Promise<CallToolResult> {
  const text = await response.text()
  if (!response.ok) return failedResult(text || `Status ${response.status}`)
  const data = parseJson(text)
  return {
    content: [{ type: 'text', text: text || 'Done.' }],
    ...(isObject(data) && { structuredContent: data }),
    ...(response.headers.has('idempotency-replayed') && { _meta: { idempotencyReplayed: true } }),
  }
}

export const problemResult = (problem: Problem, requestId: string): CallToolResult =>
  failedResult(JSON.stringify(problemDocument(problem, requestId)))

const failedResult = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] })

/** Third-party apps can respond with something other than JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isObject = (data: unknown): data is Record<string, unknown> =>
  typeof data === 'object' && data !== null && !Array.isArray(data)
