import { page } from '#lib/page.ts'
import { redirect, reply } from '#lib/reply.ts'
import { LaunchProblem } from '#views/dashboard/launches/launch-problem.tsx'
import { requirePerson } from '#lib/authorize.ts'
import { LaunchLink } from './contract.ts'
import { choicesOf } from './choices.ts'
import { launchApp } from './launch.ts'
import { platformOf } from './platform.ts'

/** A universal link: where the native build isn't installed, this page continues at its store or in the browser. */
export const launchPage = page({
  path: '/launch/:service_id',
  permission: 'signed-in',
  frame: 'door',
  screen: 'door',
  title: 'Open app',
  query: LaunchLink,
  load: async (call) => {
    requirePerson(call.actor)
    const { service_id: serviceId, context } = call.input
    const platform = platformOf(call.request.headers.get('user-agent'))
    const { app, result } = await launchApp(call, { serviceId, context, surface: 'link' }, platform)
    if (!('problem' in result)) return redirect(localOf(result.url, call.request.url.origin))
    const { problem } = result
    return reply(problem.status, { app, code: problem.code, detail: problem.message, choices: choicesOf(problem) })
  },
  view: (props) => <LaunchProblem {...props} />,
})

/** Without the origin of this server. */
function localOf(address: string, here: string): string {
  const { origin, pathname, search } = new URL(address)
  return origin === here ? pathname + search : address
}
