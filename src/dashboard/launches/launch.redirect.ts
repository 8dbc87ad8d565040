import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { requirePerson } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { redirect, reply, type Redirect, type Reply } from '#lib/reply.ts'
import type { LaunchProblemProps } from '#views/dashboard/launches/launch-problem.tsx'
import { choicesOf } from './choices.ts'
import type { LaunchLink } from './contract.ts'
import { launchApp, visitOf } from './launch.ts'

type LaunchLinkCall = Call<z.output<typeof LaunchLink>, Actor>

/** To the app or the store of its native build; a problem is for the page to show. @throws {Problem} 404 for an unknown app */
export async function answerLaunch(call: LaunchLinkCall): Promise<Redirect | Reply<LaunchProblemProps>> {
  requirePerson(call.actor)
  const { service_id: serviceId, context } = call.input
  const { app, result } = await launchApp(call, { serviceId, context, surface: 'link' }, visitOf(call.request, true))
  if (!('problem' in result)) return redirect(localOf(result.url, call.request.url.origin))
  const { problem } = result
  return reply(problem.status, { app, code: problem.code, detail: problem.message, choices: choicesOf(problem) })
}

/** Without the origin of this server. */
function localOf(address: string, here: string): string {
  const { origin, pathname, search } = new URL(address)
  // A path that begins with two slashes would be another host.
  return origin === here && !pathname.startsWith('//') ? pathname + search : address
}
