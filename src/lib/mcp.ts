import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  type CallToolRequest,
  type CallToolResult,
  type ListToolsResult,
} from '@modelcontextprotocol/sdk/types.js'
import { Problem } from './errors.ts'

export interface Tools {
  list(cursor: string | undefined): Promise<ListToolsResult>
  call(params: CallToolRequest['params']): Promise<CallToolResult | undefined>
}

interface McpInfo {
  version: string
  instructions: string
  reportError(error: unknown): void
}

/** Streamable HTTP without sessions: any server can handle any request (PLT-16). */
export async function answerMcp(request: Request, tools: Tools, about: McpInfo): Promise<Response> {
  const { version, instructions } = about
  const mcp = new McpServer({ name: 'atrium', title: 'Atrium', version }, { capabilities: { tools: {} }, instructions })
  mcp.server.setRequestHandler(ListToolsRequestSchema, ({ params }) =>
    tools.list(params?.cursor).catch(rethrowAsRpc(about)),
  )
  mcp.server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const result = await tools.call(params).catch(rethrowAsRpc(about))
    if (!result)
      throw rpcError(ErrorCode.InvalidParams, `Unknown tool ${params.name}, or this credential can’t use it.`)
    return result
  })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await mcp.connect(transport)
  try {
    return await transport.handleRequest(request)
  } finally {
    await mcp.close()
  }
}

const rethrowAsRpc =
  ({ reportError }: McpInfo) =>
  (error: unknown): never => {
    const problem = error instanceof Problem ? error : null
    if (!problem || problem.status >= 500) reportError(error)
    const code = problem?.status === 422 ? ErrorCode.InvalidParams : ErrorCode.InternalError
    throw rpcError(
      code,
      problem?.message ?? 'Something went wrong on our side. Try again.',
      problem && { code: problem.code },
    )
  }

/** An error of JSON-RPC. Clients of the SDK put the code before the message themselves: its `McpError` would double it. */
const rpcError = (code: ErrorCode, message: string, data?: object | null): Error =>
  Object.assign(new Error(message), { code, ...(data && { data }) })
