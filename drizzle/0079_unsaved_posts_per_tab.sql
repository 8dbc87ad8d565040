DROP INDEX "social"."unsaved_posts_post";--> statement-breakpoint
CREATE INDEX "unsaved_posts_post_id" ON "social"."unsaved_posts" USING btree ("post_id");