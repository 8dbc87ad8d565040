CREATE TABLE "practice_video"."comments" (
	"id" text PRIMARY KEY NOT NULL,
	"video_id" text NOT NULL,
	"account" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "practice_video"."comments" ADD CONSTRAINT "comments_video_id_videos_id_fk" FOREIGN KEY ("video_id") REFERENCES "practice_video"."videos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "comments_newest" ON "practice_video"."comments" USING btree ("video_id","created_at","id");