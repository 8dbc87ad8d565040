import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { PracticeVideoBehaviorCard, PracticeVideos } from '#views/gateway/practice-video.tsx'
import { listHeldVideos } from './api/store.ts'
import { getBehavior, setBehavior } from './behavior.ts'
import {
  BehaviorScope,
  PracticeVideoBehavior,
  PracticeVideoList,
  PracticeVideoQuota,
  PracticeVideoRequestList,
  ProjectQuery,
  VideoBehaviorChange,
} from './contract.ts'
import { getQuota } from './quota.ts'
import { stateOf } from './state.ts'

const open = { permission: 'public', limit: null } as const

export const listPracticeVideos = operation({
  route: 'GET /dev/video/api/videos',
  summary: 'List videos that the practice provider holds',
  ...open,
  input: BehaviorScope,
  output: PracticeVideoList,
  run: async ({ db, input }) => ({ items: await listHeldVideos(db, input.project) }),
  view: ({ items }) => <PracticeVideos items={items} />,
})

export const listPracticeVideoRequests = operation({
  route: 'GET /dev/video/api/requests',
  summary: 'List requests that the practice video provider received',
  ...open,
  input: BehaviorScope,
  output: PracticeVideoRequestList,
  run: async ({ db, input }) => ({
    items: stateOf(db).received.list(input.project),
  }),
})

export const getPracticeVideoQuota = operation({
  route: 'GET /dev/video/api/quota',
  summary: 'Get the quota of a practice video project',
  ...open,
  input: ProjectQuery,
  output: PracticeVideoQuota,
  run: ({ db, input, now }) => getQuota(db, input.project, now()),
})

export const getPracticeVideoBehavior = operation({
  route: 'GET /dev/video/behavior',
  summary: 'Get the behavior of the practice video provider',
  ...open,
  input: BehaviorScope,
  output: PracticeVideoBehavior,
  run: ({ db, input }) => getBehavior(db, input.project),
  view: (behavior, { input }) => <PracticeVideoBehaviorCard behavior={behavior} scope={input} />,
})

export const updatePracticeVideoBehavior = operation({
  route: 'PUT /dev/video/behavior',
  summary: 'Update the behavior of the practice video provider',
  ...open,
  input: VideoBehaviorChange,
  output: PracticeVideoBehavior,
  audit: false,
  run: async ({ db, input: { project, ...behavior } }) =>
    reply(200, await setBehavior(db, project, behavior), { next: '/dev/video', toast: 'Saved' }),
  view: (behavior, { input }) => <PracticeVideoBehaviorCard behavior={behavior} scope={input} />,
})
