ALTER TABLE "social"."post_reviews" DROP CONSTRAINT "post_reviews_void_reason";--> statement-breakpoint
ALTER TABLE "social"."post_reviews" ADD COLUMN "writers" uuid[];--> statement-breakpoint
ALTER TABLE "social"."post_reviews" ADD CONSTRAINT "post_reviews_void_reason" CHECK ("social"."post_reviews"."void_reason" in ('edited', 'thread_changed', 'decided_again', 'revoked'));