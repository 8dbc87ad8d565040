import { Document } from './layout.tsx'
import type { Theme } from './shell.ts'

interface DoorProps {
  title: string
  content: JSX.Element
  /** A stylesheet beside the door's own. */
  screen?: string
  theme: Theme
}

/** The frame of signing in and up: one card, nothing beside it. */
export const Door = ({ title, content, screen, theme }: DoorProps) => (
  <Document title={title} screens={screen ? ['identity', screen] : ['identity']} class="door" theme={theme}>
    <main>{content}</main>
  </Document>
)
