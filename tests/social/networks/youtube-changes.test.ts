import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startYouTube, type YouTubeCounterpart } from '../../counterparts/youtube/index.ts'
import { scaleTime } from '../../support/time-scale.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'
import { hasFfmpeg, uploadVideo } from './support/upload.ts'

const withVideos = test.skipIf(!hasFfmpeg)
const update = 'api PUT /youtube/v3/videos'
const remove = 'api DELETE /youtube/v3/videos'

let youtube: YouTubeCounterpart
let site: NetworkSite
let media: { mediaId: string }[] = []

beforeAll(async () => {
  youtube = startYouTube()
  const config = { VIDEO_CHUNK_MS: scaleTime(700), UPLOAD_LEASE_MS: scaleTime(1000) }
  site = await openNetworkSite({ provider: 'youtube', counterpart: youtube, app: youtube.app, config })
  if (hasFfmpeg) media = [{ mediaId: (await uploadVideo(site.ada)).id }]
})
afterAll(() => site.close())

async function publish(username: string, form: Record<string, unknown> = { firstComments: true }) {
  const account = youtube.channel(username)
  const target = await site.connect(account.id, (url) => youtube.consent(url, account), form)
  const options = { youtube: { title: 'Latte art', tags: ['coffee', 'latte art'] } }
  const { id } = await site.publish(target, { text: 'Munday', media, ...options })
  return {
    videos: () => youtube.videos(account),
    correct: (text: string, status = 200) =>
      site.ada.call<object>('POST', `/api/posts/${id}/corrections`, { text }, status),
    remove: (status = 200) => site.ada.call<object>('DELETE', `/api/posts/${id}/publication`, undefined, status),
  }
}

withVideos('SOC-48 description of a published video is corrected, and all else of it stays', async () => {
  const post = await publish('corrected')
  const [before] = post.videos()
  expect(await post.correct('Monday')).toMatchObject({ state: 'corrected' })
  expect(post.videos()).toEqual([
    expect.objectContaining({ ...before, description: 'Monday', title: 'Latte art', tags: ['coffee', 'latte art'] }),
  ])
})

withVideos(
  'SOC-48 lost response to a correction on YouTube is read back, and one that did not arrive is repeated',
  async () => {
    const post = await publish('lost')
    youtube.fail(update, 'no_answer_after')
    expect(await post.correct('Monday')).toMatchObject({ state: 'corrected' })
    youtube.fail(update, 'server_error')
    expect(await post.correct('Tuesday')).toMatchObject({ state: 'corrected' })
    expect(post.videos().map(({ description }) => description)).toEqual(['Tuesday'])
  },
)

withVideos('SOC-48 video is deleted on YouTube, even if it was already deleted there', async () => {
  const [post, gone] = [await publish('deleted'), await publish('gone')]
  youtube.fail(remove, 'server_error')
  expect(await post.remove(502)).toMatchObject({ code: 'provider_refused' })
  expect(await post.remove()).toMatchObject({ withdrawnAt: expect.any(String) })
  expect(post.videos()).toEqual([])
  youtube.fail(remove, 'no_answer_after')
  expect(await gone.remove(502)).toMatchObject({ code: 'provider_refused' })
  expect(gone.videos()).toEqual([])
  expect(await gone.remove()).toMatchObject({ withdrawnAt: expect.any(String) })
})

withVideos(
  'SOC-48 channel without the permission is neither corrected nor deleted, and says what is missing',
  async () => {
    const post = await publish('readonly', {})
    expect(await post.correct('Monday', 409)).toMatchObject({ code: 'permission_missing' })
    expect(youtube.callsOf(update).filter(({ status }) => status === 403)).toEqual([])
    expect(await post.remove(502)).toMatchObject({
      detail: expect.stringContaining(
        'Reconnect the account with first comments, or change the video in YouTube Studio. The post is still on YouTube.',
      ),
    })
    expect(post.videos().map(({ description }) => description)).toEqual(['Munday'])
  },
)
