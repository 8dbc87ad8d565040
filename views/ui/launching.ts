import { showProblemIn } from './show-problem.ts'

interface Launching {
  /** The ID or slug of an installed app. */
  app: string
  surface: 'catalog' | 'switcher' | 'widget'
  /** The ID of the element that shows why a launch is refused. */
  problem: string
  path?: string
}

/** Makes a link to an app launch it with a one-time code. Without JavaScript it is a plain link. */
export const launching = ({ app, surface, problem, path = '/api/launches' }: Launching) => ({
  'hx-post': path,
  'hx-vals': JSON.stringify({ serviceId: app, surface }),
  'hx-swap': 'none' as const,
  ...showProblemIn(problem),
})
