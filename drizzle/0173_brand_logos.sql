CREATE TABLE "social"."brand_logos" (
	"brand_id" uuid PRIMARY KEY NOT NULL,
	"image" "bytea" NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "brand_logos_size" CHECK (octet_length("social"."brand_logos"."image") BETWEEN 1 AND 1048576)
);
--> statement-breakpoint
ALTER TABLE "social"."brands" ADD COLUMN "logo_sha256" text;--> statement-breakpoint
ALTER TABLE "social"."brand_logos" ADD CONSTRAINT "brand_logos_brand_id_brands_id_fk" FOREIGN KEY ("brand_id") REFERENCES "social"."brands"("id") ON DELETE cascade ON UPDATE no action;