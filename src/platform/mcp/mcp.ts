import type { Config } from '#config'
import type { Provided } from '#lib/call.ts'
import type { Context } from '#lib/context.ts'
import type { McpOptions } from '#lib/http/dependencies.ts'
import { publicUrl } from '#lib/public-url.ts'
import { version } from '../../../package.json'

const instructions = `Atrium schedules and publishes social media posts for brands. Each tool is an operation of the API, which is documented at /openapi, and is limited to the permissions of your credential. Times are RFC 3339 in UTC. Errors explain what to do in "detail".`

export function mcpOf(contexts: readonly Context[], config: Config, identity: Provided['identity']): McpOptions {
  const context = contexts.find(({ operations }) => 'getProtectedTools' in operations)
  if (!context) throw new Error('No context describes the tools of /mcp')
  return {
    context,
    actions: identity.actions,
    metadataUrl: (request) => publicUrl('/.well-known/oauth-protected-resource', config, request),
    version,
    instructions,
  }
}
