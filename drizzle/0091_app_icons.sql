UPDATE identity.services SET icon = known.icon
FROM (VALUES
  ('platform-developer-console', 'code'),
  ('platform-pay', 'wallet')
) AS known (slug, icon)
WHERE services.slug = known.slug AND services.icon IS NULL;
