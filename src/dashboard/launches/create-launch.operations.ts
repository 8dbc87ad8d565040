import { requirePerson } from '#lib/authorize.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { LaunchRequest, LaunchResult } from './contract.ts'
import { launchApp, visitOf } from './launch.ts'

export const createLaunch = operation({
  route: 'POST /api/launches',
  summary: 'Create a launch of an app',
  permission: 'signed-in',
  personal: false,
  transaction: false,
  audit: false,
  input: LaunchRequest,
  output: LaunchResult,
  secrets: ['url'],
  problems: {
    not_found: 404,
    app_not_installed: 409,
    not_launchable: 409,
    context_required: 409,
    app_access_missing: 403,
    own_session_required: 403,
  },
  run: async (call) => {
    requirePerson(call.actor)
    const { result } = await launchApp(call, call.input, visitOf(call.request, false))
    if ('problem' in result) throw result.problem
    return reply(200, result, { next: result.url })
  },
})
