import { z } from 'zod'
import { page } from '#lib/page.ts'
import { PracticeVideoPage, type PracticeVideoPageProps } from '#views/gateway/practice-video.tsx'
import { getPracticeVideoBehavior, listPracticeVideos } from './practice-video.operations.tsx'

export const practiceVideoPage = page({
  path: '/dev/video',
  permission: 'public',
  query: z.object({}),
  frame: 'plain',
  screen: 'settings',
  title: () => 'Practice video',
  load: async (call) => {
    const [{ items }, behavior] = await Promise.all([
      call.ask(listPracticeVideos, {}),
      call.ask(getPracticeVideoBehavior, {}),
    ])
    return { items, behavior }
  },
  view: (props: PracticeVideoPageProps) => <PracticeVideoPage {...props} />,
})
