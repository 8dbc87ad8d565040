import type { ListedMedia } from '#social/types'
import { Form, SelectField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { nameOf } from './file-text.ts'

export const cropDialog = 'crop-file'

export const canCrop = ({ kind, status, animated }: ListedMedia): boolean =>
  kind === 'image' && status === 'ready' && !animated

const formats = [
  { value: '', label: 'Keep the format' },
  { value: '1:1', label: 'Square, 1:1' },
  { value: '4:5', label: 'Portrait, 4:5 (Instagram)' },
  { value: '2:3', label: 'Portrait, 2:3 (Pinterest)' },
  { value: '9:16', label: 'Full screen, 9:16 (TikTok, stories)' },
  { value: '1.91:1', label: 'Landscape, 1.91:1 (link previews)' },
  { value: '16:9', label: 'Landscape, 16:9 (X, YouTube)' },
]

const rotations = [
  { value: '0', label: 'No rotation' },
  { value: '90', label: '90° clockwise' },
  { value: '180', label: '180°' },
  { value: '270', label: '90° counterclockwise' },
]

const parts = [
  { value: 'center', label: 'The middle' },
  { value: 'start', label: 'The top or left' },
  { value: 'end', label: 'The bottom or right' },
]

export const CropFields = () => (
  <>
    <SelectField label="Format" name="aspect" options={formats} />
    <SelectField label="Rotation" name="rotate" options={rotations} />
    <SelectField label="Keep" name="keep" options={parts} hint="Of the side that is too long." />
    <p class="muted small">It is saved as a copy. The original stays as it is.</p>
  </>
)

/** Saves a copy, so that posts with the original stay as they are. */
export const CropDialog = ({ file }: { file: ListedMedia }) => (
  <Dialog id={cropDialog} title={`Crop or rotate ${nameOf(file)}`}>
    <Form hx-post={`/api/media/${file.id}/crop`}>
      <div class="body">
        <CropFields />
      </div>
      <DialogButtons dialog={cropDialog} submit="Save copy" />
    </Form>
  </Dialog>
)
