import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { Problem } from '../errors.ts'
import { OutboundError, type Outbound } from '../outbound.ts'
import { readToolResult } from './tool-result.ts'

const maxBytes = 1024 * 1024

/** Redirects are not followed: they would send the key elsewhere. @throws {Problem} 502 */
export async function callApp(outbound: Outbound, request: Request): Promise<CallToolResult> {
  const { url, method, headers, signal } = request
  const body = method === 'GET' ? undefined : await request.text()
  const response = await outbound
    .fetch(url, { method, headers, body, signal, maxBytes: maxBytes, maxRedirects: 0 })
    .catch(throwProblem)
  return readToolResult(response)
}

function throwProblem(error: unknown): never {
  if (!(error instanceof OutboundError)) throw error
  throw new Problem(502, 'app_unreachable', `The app didn’t respond as expected. ${error.message}`, { cause: error })
}
