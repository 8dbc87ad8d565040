CREATE TABLE "social"."post_corrections" (
	"id" uuid PRIMARY KEY NOT NULL,
	"brand_id" uuid NOT NULL,
	"post_id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"former_text" text NOT NULL,
	"text" text NOT NULL,
	"reason" text,
	"state" text DEFAULT 'sending' NOT NULL,
	"failure_code" text,
	"failure_message" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "post_corrections_state" CHECK ("social"."post_corrections"."state" in ('sending', 'corrected', 'failed', 'unknown')),
	CONSTRAINT "post_corrections_settled" CHECK (("social"."post_corrections"."state" = 'sending') = ("social"."post_corrections"."settled_at" is null)),
	CONSTRAINT "post_corrections_failure" CHECK (("social"."post_corrections"."state" in ('failed', 'unknown')) = ("social"."post_corrections"."failure_code" is not null))
);
--> statement-breakpoint
ALTER TABLE "social"."sandbox_receipts" ADD COLUMN "edited_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "social"."post_corrections" ADD CONSTRAINT "post_corrections_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."post_corrections" ADD CONSTRAINT "post_corrections_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "social"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "post_corrections_post" ON "social"."post_corrections" USING btree ("post_id","created_at","id");--> statement-breakpoint
CREATE INDEX "post_corrections_brand" ON "social"."post_corrections" USING btree ("brand_id");--> statement-breakpoint
CREATE UNIQUE INDEX "post_corrections_sending" ON "social"."post_corrections" USING btree ("post_id") WHERE state = 'sending';