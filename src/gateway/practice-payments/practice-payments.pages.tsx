import { z } from 'zod'
import { page } from '#lib/page.ts'
import { PracticePaymentsPage, type PracticePaymentsPageProps } from '#views/gateway/practice-payments/page.tsx'
import { getPracticePaymentsBehavior, listPracticePaymentObjects } from './practice-payments.operations.tsx'

export const practicePaymentsPage = page({
  path: '/dev/payments',
  permission: 'public',
  query: z.object({}),
  frame: 'plain',
  screen: 'settings',
  title: () => 'Practice payments',
  load: async (call) => {
    const [{ items }, behavior] = await Promise.all([
      call.ask(listPracticePaymentObjects, {}),
      call.ask(getPracticePaymentsBehavior, {}),
    ])
    return { items, behavior }
  },
  view: (props: PracticePaymentsPageProps) => <PracticePaymentsPage {...props} />,
})
