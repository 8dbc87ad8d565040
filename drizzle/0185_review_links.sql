CREATE TABLE "social"."review_link_posts" (
	"brand_id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"post_id" uuid NOT NULL,
	CONSTRAINT "review_link_posts_link_id_post_id_pk" PRIMARY KEY("link_id","post_id")
);
--> statement-breakpoint
CREATE TABLE "social"."review_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"brand_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"guest_name" text,
	"can_decide" boolean NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"requested_at" timestamp (3) with time zone,
	CONSTRAINT "review_links_token" UNIQUE("token_hash"),
	CONSTRAINT "review_links_in_brand" UNIQUE("brand_id","id"),
	CONSTRAINT "review_links_guest" CHECK ("social"."review_links"."guest_name" <> ''),
	CONSTRAINT "review_links_requested" CHECK ("social"."review_links"."requested_at" is null or "social"."review_links"."revoked_at" is null)
);
--> statement-breakpoint
ALTER TABLE "social"."review_link_posts" ADD CONSTRAINT "review_link_posts_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."review_link_posts" ADD CONSTRAINT "review_link_posts_link" FOREIGN KEY ("brand_id","link_id") REFERENCES "social"."review_links"("brand_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."review_links" ADD CONSTRAINT "review_links_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "review_link_posts_post" ON "social"."review_link_posts" USING btree ("brand_id","post_id");--> statement-breakpoint
CREATE INDEX "review_link_posts_of_link" ON "social"."review_link_posts" USING btree ("brand_id","link_id");--> statement-breakpoint
CREATE INDEX "review_links_brand" ON "social"."review_links" USING btree ("brand_id","created_at","id");--> statement-breakpoint
CREATE INDEX "review_links_expired" ON "social"."review_links" USING btree ("expires_at");