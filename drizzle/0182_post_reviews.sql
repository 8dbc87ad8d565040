CREATE TABLE "social"."post_comments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"brand_id" uuid NOT NULL,
	"post_id" uuid NOT NULL,
	"user_id" uuid,
	"link_id" uuid,
	"guest_name" text,
	"text" text NOT NULL,
	"quote" text,
	"mentions" uuid[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by" uuid,
	CONSTRAINT "post_comments_author" CHECK (("social"."post_comments"."user_id" is null) = ("social"."post_comments"."link_id" is not null) and ("social"."post_comments"."link_id" is null) = ("social"."post_comments"."guest_name" is null)),
	CONSTRAINT "post_comments_text" CHECK ("social"."post_comments"."text" <> ''),
	CONSTRAINT "post_comments_resolved" CHECK (("social"."post_comments"."resolved_at" is null) = ("social"."post_comments"."resolved_by" is null))
);
--> statement-breakpoint
CREATE TABLE "social"."post_reviews" (
	"id" uuid PRIMARY KEY NOT NULL,
	"brand_id" uuid NOT NULL,
	"post_id" uuid NOT NULL,
	"user_id" uuid,
	"link_id" uuid,
	"guest_name" text,
	"decision" text NOT NULL,
	"comment" text,
	"content" jsonb NOT NULL,
	"fingerprint" text NOT NULL,
	"post_version" integer NOT NULL,
	"confirmed_alone" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"voided_at" timestamp (3) with time zone,
	"void_reason" text,
	CONSTRAINT "post_reviews_decision" CHECK ("social"."post_reviews"."decision" in ('approve', 'request_changes')),
	CONSTRAINT "post_reviews_reviewer" CHECK (("social"."post_reviews"."user_id" is null) = ("social"."post_reviews"."link_id" is not null) and ("social"."post_reviews"."link_id" is null) = ("social"."post_reviews"."guest_name" is null)),
	CONSTRAINT "post_reviews_voided" CHECK (("social"."post_reviews"."voided_at" is null) = ("social"."post_reviews"."void_reason" is null)),
	CONSTRAINT "post_reviews_void_reason" CHECK ("social"."post_reviews"."void_reason" in ('edited', 'decided_again'))
);
--> statement-breakpoint
ALTER TABLE "social"."posts" ADD COLUMN "review_state_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "social"."posts" ADD COLUMN "review_requested_by" uuid;--> statement-breakpoint
ALTER TABLE "social"."posts" ADD COLUMN "content_by" uuid;--> statement-breakpoint
ALTER TABLE "social"."deleted_posts" ADD COLUMN "reviews" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "social"."deleted_posts" ADD COLUMN "comments" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "social"."post_comments" ADD CONSTRAINT "post_comments_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."post_comments" ADD CONSTRAINT "post_comments_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "social"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."post_reviews" ADD CONSTRAINT "post_reviews_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."post_reviews" ADD CONSTRAINT "post_reviews_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "social"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "post_comments_post" ON "social"."post_comments" USING btree ("post_id","created_at","id");--> statement-breakpoint
CREATE INDEX "post_comments_brand" ON "social"."post_comments" USING btree ("brand_id");--> statement-breakpoint
CREATE INDEX "post_reviews_post" ON "social"."post_reviews" USING btree ("post_id","created_at","id");--> statement-breakpoint
CREATE INDEX "post_reviews_brand" ON "social"."post_reviews" USING btree ("brand_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "post_reviews_of_user" ON "social"."post_reviews" USING btree ("post_id","user_id") WHERE voided_at is null and user_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "post_reviews_of_link" ON "social"."post_reviews" USING btree ("post_id","link_id") WHERE voided_at is null and link_id is not null;--> statement-breakpoint
CREATE INDEX "posts_in_review" ON "social"."posts" USING btree ("brand_id","review_state_at","id") WHERE review_state <> 'none';--> statement-breakpoint
CREATE INDEX "posts_of_review_state" ON "social"."posts" USING btree ("brand_id","review_state","review_state_at","id") WHERE review_state <> 'none';--> statement-breakpoint
ALTER TABLE "social"."posts" ADD CONSTRAINT "posts_review_state" CHECK ("social"."posts"."review_state" in ('none', 'requested', 'approved', 'changes_requested'));--> statement-breakpoint
ALTER TABLE "social"."posts" ADD CONSTRAINT "posts_review_state_at" CHECK (("social"."posts"."review_state" = 'none') = ("social"."posts"."review_state_at" is null));