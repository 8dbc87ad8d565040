import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { operation } from '#lib/operation.ts'
import { publicUrl } from '#lib/public-url.ts'

/** RFC 9728. */
const ProtectedResource = z.object({
  resource: z.url(),
  resource_name: z.string(),
  authorization_servers: z.array(z.url()),
  bearer_methods_supported: z.array(z.literal('header')),
  resource_documentation: z.url(),
})

const common = {
  permission: 'public',
  input: z.object({}),
  unknownFields: 'ignored',
  output: ProtectedResource,
  run: async ({ config, request }: Call): Promise<z.infer<typeof ProtectedResource>> => {
    const at = (path: string) => publicUrl(path, config, request)
    return {
      resource: at('/mcp'),
      resource_name: 'Atrium',
      authorization_servers: [new URL(at('/')).origin],
      bearer_methods_supported: ['header'],
      resource_documentation: at('/openapi'),
    }
  },
} as const

export const getProtectedResource = operation({
  route: 'GET /.well-known/oauth-protected-resource',
  summary: 'Get the protected resource metadata',
  ...common,
})

// RFC 9728 appends the path of the resource, /mcp.
export const getProtectedTools = operation({
  route: 'GET /.well-known/oauth-protected-resource/mcp',
  summary: 'Get the protected resource metadata of MCP',
  ...common,
})
