import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { Problem } from '../errors.ts'
import { OutboundError, type Outbound } from '../outbound.ts'
import { resultOf } from './tool-result.ts'

const mostBytes = 1024 * 1024

/** Calls an action of an app elsewhere, which is redirected nowhere: its key is for it alone. Throws 502. */
export async function callApp(outbound: Outbound, request: Request): Promise<CallToolResult> {
  const { url, method, headers, signal } = request
  const body = method === 'GET' ? undefined : await request.text()
  const answer = await outbound
    .fetch(url, { method, headers, body, signal, maxBytes: mostBytes, maxRedirects: 0 })
    .catch(failed)
  return resultOf(answer)
}

function failed(error: unknown): never {
  if (!(error instanceof OutboundError)) throw error
  throw new Problem(502, 'app_unreachable', `The app did not answer as it should. ${error.message}`, { cause: error })
}
