// The published plugin takes types only from here.
