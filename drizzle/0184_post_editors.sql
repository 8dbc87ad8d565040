CREATE TABLE "social"."post_editors" (
	"brand_id" uuid NOT NULL,
	"post_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"tab_id" uuid NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "post_editors_post_id_person_id_pk" PRIMARY KEY("post_id","person_id")
);
--> statement-breakpoint
ALTER TABLE "social"."posts" ADD COLUMN "updated_by" uuid;--> statement-breakpoint
ALTER TABLE "social"."post_editors" ADD CONSTRAINT "post_editors_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social"."post_editors" ADD CONSTRAINT "post_editors_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "social"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "post_editors_brand" ON "social"."post_editors" USING btree ("brand_id");--> statement-breakpoint
CREATE INDEX "post_editors_person" ON "social"."post_editors" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "post_editors_oldest" ON "social"."post_editors" USING btree ("seen_at");