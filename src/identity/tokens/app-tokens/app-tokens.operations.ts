import { operation } from '#lib/operation.ts'
import { credentialOf } from '../credential.ts'
import { AppToken, AppTokenRequest } from './contract.ts'
import { issueAppToken } from './issue.ts'

export const createAppToken = operation({
  route: 'PUT /api/internal/app-tokens',
  summary: 'Create a token for one app',
  permission: 'service',
  callers: ['platform-dashboard-api'],
  input: AppTokenRequest,
  output: AppToken,
  audit: false,
  transaction: false,
  secrets: ['token'],
  problems: { invalid_token: 401, session_required: 403, not_found: 404 },
  run: async (call) => {
    const { service, credential } = call.input
    const presented = await call.validate(credentialOf(credential, call.config), { passive: true })
    return issueAppToken(call, presented, service)
  },
})
