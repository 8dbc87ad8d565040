import type { SocialDashboard } from '#social/types'
import type { Place } from '../posts/post-text.ts'

export interface HomeProps {
  dashboard: SocialDashboard
  place: Place
}
