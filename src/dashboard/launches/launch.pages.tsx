import { page } from '#lib/page.ts'
import { LaunchProblem } from '#views/dashboard/launches/launch-problem.tsx'
import { LaunchLink } from './contract.ts'
import { answerLaunch } from './launch.redirect.ts'

/** A universal link: where the native build isn't installed, this page continues at its store or in the browser. */
export const launchPage = page({
  path: '/launch/:service_id',
  permission: 'signed-in',
  frame: 'door',
  screen: 'door',
  title: 'Open app',
  query: LaunchLink,
  load: answerLaunch,
  view: (props) => <LaunchProblem {...props} />,
})
