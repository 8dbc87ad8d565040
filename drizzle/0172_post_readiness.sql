CREATE TABLE "social"."account_checks" (
	"connection_id" uuid PRIMARY KEY NOT NULL,
	"brand_id" uuid NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"problem" jsonb,
	"quota_left" integer,
	"quota_total" integer,
	"is_refreshable" boolean,
	"has_app" boolean
);
--> statement-breakpoint
CREATE TABLE "social"."post_checks" (
	"post_id" uuid PRIMARY KEY NOT NULL,
	"brand_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"state" text NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"checked_for" timestamp (3) with time zone,
	CONSTRAINT "post_checks_state" CHECK ("social"."post_checks"."state" in ('ready', 'warning', 'problem'))
);
--> statement-breakpoint
ALTER TABLE "social"."account_checks" ADD CONSTRAINT "account_checks_connection_id_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "social"."connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."account_checks" ADD CONSTRAINT "account_checks_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."post_checks" ADD CONSTRAINT "post_checks_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "social"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."post_checks" ADD CONSTRAINT "post_checks_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "post_checks_problems" ON "social"."post_checks" USING btree ("brand_id","provider") WHERE state = 'problem';--> statement-breakpoint
CREATE INDEX "post_checks_again" ON "social"."post_checks" USING btree ("checked_at") WHERE state = 'problem';