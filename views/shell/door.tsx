import { Document } from './layout.tsx'
import type { Theme } from './shell.ts'

interface DoorProps {
  title: string
  content: JSX.Element
  screen?: string
  theme: Theme
}

export const Door = ({ title, content, screen, theme }: DoorProps) => (
  <Document title={title} screens={['identity', ...(screen?.split(' ') ?? [])]} class="door" theme={theme}>
    <main>{content}</main>
  </Document>
)
