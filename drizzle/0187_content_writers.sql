ALTER TABLE "social"."post_reviews" DROP CONSTRAINT "post_reviews_void_reason";--> statement-breakpoint
ALTER TABLE "social"."posts" ADD COLUMN "content_writers" uuid[];--> statement-breakpoint
CREATE INDEX "post_reviews_open_of_link" ON "social"."post_reviews" USING btree ("brand_id","link_id") WHERE voided_at is null and link_id is not null;--> statement-breakpoint
ALTER TABLE "social"."post_reviews" ADD CONSTRAINT "post_reviews_void_reason" CHECK ("social"."post_reviews"."void_reason" in ('edited', 'decided_again', 'revoked'));