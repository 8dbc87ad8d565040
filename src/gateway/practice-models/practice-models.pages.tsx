import { z } from 'zod'
import { page } from '#lib/page.ts'
import { PracticeModelsPage, type PracticeModelsPageProps } from '#views/gateway/practice-models.tsx'
import { getPracticeModelsBehavior, listPracticeModelRequests } from './practice-models.operations.tsx'

export const practiceModelsPage = page({
  path: '/dev/models',
  permission: 'public',
  query: z.object({}),
  frame: 'plain',
  screen: 'settings',
  title: () => 'Practice models',
  load: async (call) => {
    const [{ items }, behavior] = await Promise.all([
      call.ask(listPracticeModelRequests, {}),
      call.ask(getPracticeModelsBehavior, {}),
    ])
    return { items, behavior }
  },
  view: (props: PracticeModelsPageProps) => <PracticeModelsPage {...props} />,
})
