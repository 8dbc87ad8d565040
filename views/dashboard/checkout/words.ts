import type { CheckoutPackage } from '#dashboard/types'

export const packages: Readonly<Record<CheckoutPackage, { name: string; text: string }>> = {
  three: { name: 'Three', text: 'Three of our apps at once' },
  five: { name: 'Five', text: 'Five of our apps at once' },
  ten: { name: 'Ten', text: 'Ten of our apps at once' },
  everything: { name: 'Everything', text: 'All of our apps, new ones included' },
  free: { name: 'Free', text: 'One seat and no paid apps. A yearly payment verifies who you are' },
}
