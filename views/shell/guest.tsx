import { Document } from './layout.tsx'
import type { Theme } from './shell.ts'

interface GuestFrameProps {
  title: string
  content: JSX.Element
  screen?: string
  theme: Theme
}

/** For people without an account: the content has a header, the main part and a footer. */
export const GuestFrame = ({ title, content, screen, theme }: GuestFrameProps) => (
  <Document title={title} screens={screen?.split(' ')} class="guest" theme={theme} isPrivate>
    <a class="skip" href="#main">
      Skip to content
    </a>
    {content}
  </Document>
)
