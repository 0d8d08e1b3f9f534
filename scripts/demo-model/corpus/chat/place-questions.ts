import { askFor, askWhether } from '../text/asking.ts';

/** The places whose names are plural. */
export function isPlural(place: string): boolean {
  return /^the (Neth|Phil|United S|United A|Mald|Sey|Bah)/.test(place);
}

/** Templates for the capital of a country. */
export function capitalQuestions(place: string): string[] {
  const owner = place.endsWith('s') ? `${place}'` : `${place}'s`;
  return [
    ...askFor(`the capital (|||city) of ${place}`),
    ...askFor(`the capital of ${place}`),
    ...askFor(`${owner} capital (||city)`),
    ...askWhether(
      `(what the capital (|city) of ${place} is|which city is the capital of ${place}|which city ${place} has as its capital)`,
    ),
    `(what|which) city is the capital (|city) of ${place}?`,
    `(what|which) (city|town|place) is (the seat of government|the capital|the main city|the capital city) (of|in) ${place}?`,
    `(in|of|for) ${place}, (what|which) city is the capital?`,
    `${place}: (what is its|what's the|which|its|the|name its|tell me the) capital (|city)?`,
    `(what|how) is the capital (|city) of ${place} (called|named)?`,
    `(which|what) city does ${place} have (as|for) (its|the|a) capital?`,
    `${place} has (which|what) (capital|capital city|city as its capital)?`,
    `the capital of ${place} is (which|what) (city|town|place)?`,
    `(capital ${place}|${place} capital|${place}, capital|capital: ${place}|capital city ${place})(?|)`,
    `(I am|I'm|we are|my friend is) (travelling|going|flying|moving) to ${place}. (What is|What's|Which city is|Name|Tell me) (its|the) capital?`,
    `${place} is a country. (What is|What's|Name|Which is|Which city is) its capital?`,
    `from (which|what) city is ${place} (governed|ruled|run)?`,
    `in (which|what) city does the government of ${place} (sit|work|meet)?`,
    `if I (go|travel|fly|drive) to the capital of ${place}, (which|what) city am I in?`,
    `(about|regarding|concerning|as for) ${place}: (what is|what's|which city is|name|tell me) (its|the) capital (|city)?`,
    `does ${place} have a capital (|city)(? Which one?|, and which one?|? Which?|, and what is it called?)`,
    `(every country has a capital|I am learning capitals|geography quiz|let us talk about capitals): (what|which) is that of ${place}?`,
  ];
}

/** Templates for the country of a capital. */
export function countryQuestions(city: string): string[] {
  return [
    `${city} is the capital (|city) of (which|what) (country|land|nation|state)?`,
    `(which|what) (country|land|nation) has ${city} (as (its|the|a)|for a) capital (|city)?`,
    `of (which|what) (country|land|nation) is ${city} the capital (|city)?`,
    `(what|which) (country|land|nation) is ${city} the capital (|city) of?`,
    `in (which|what) (country|land) (is ${city}|is ${city} located|does ${city} lie|can I find ${city}|do I find ${city}|would I find ${city})?`,
    `(which|what) (country|land) is ${city} (in|located in|situated in|a city of|a part of)?`,
    `where (is|lies|can I find|do I find|would I find|do you find) ${city}?`,
    `where is ${city} (located|situated|on the map|in the world|exactly)?`,
    `(which|what) country does ${city} belong to?`,
    `to (which|what) country does ${city} belong?`,
    `${city} (is|lies|is located|is found) in (which|what) (country|land)?`,
    `(whose capital|what|what kind of city|which country's capital) is ${city}?`,
    `${city}: (which|what|in which|in what) country (|is it in|is that)?`,
    `(if|when) I am in ${city}, (which|what) country am I in?`,
    `(I am|We are|My friend is) (flying|going|travelling|moving) to ${city}. (Which|What|In which|In what) country is (that|it)?`,
    `(tell me about|what do you know about|have you heard of|describe) ${city}?`,
    ...askFor(
      `the country (whose capital is|with the capital|that has the capital|governed from|of) ${city}`,
    ),
    ...askWhether(
      `(where ${city} is|(which|what) country ${city} is in|in which country ${city} lies|what ${city} is the capital of)`,
    ),
  ];
}

/** Templates for the continent of a country. */
export function continentQuestions(place: string): string[] {
  const [be, does, lie, belong] = isPlural(place)
    ? ['are', 'do', 'lie', 'belong']
    : ['is', 'does', 'lies', 'belongs'];
  return [
    `(which|what) continent ${be} ${place} (in|on|part of|a part of|located in|located on|situated in|found in)?`,
    `(which|what) continent ${does} ${place} (lie in|lie on|belong to|count to|sit on|form part of)?`,
    `(which|what) continent (would|do|can|will|could|must) (I|you|we|one) (find ${place} (in|on)|look for ${place} on|look at to find ${place}|search for ${place}|visit to see ${place})?`,
    `(in|on) (which|what) continent (${be} ${place}|${be} ${place} located|${be} ${place} situated|${does} ${place} lie|${lie} ${place}|${be} ${place} to be found)?`,
    `(in|on) (which|what) continent (can|do|would|could|will) (I|you|we|one) (find|see|place|put|locate|look for|visit) ${place}?`,
    `to (which|what) continent ${does} ${place} belong?`,
    `(which|what) continent (includes|contains|has|is home to) ${place}?`,
    `${place} ${be} (in|on|part of|located in|located on|situated in) (which|what) (continent|part of the world)?`,
    `${place} (${lie} (in|on)|${belong} to) (which|what) continent?`,
    `${place}: (which|what|on which|in which) continent (|${be} that|is it)?`,
    `(continent of ${place}|${place} continent|${place}, continent|continent: ${place})(?|)`,
    ...askFor(
      `the continent (of ${place}|where ${place} ${be}|that ${place} ${be} in|${place} ${belong} to|${place} ${lie} in|on which ${place} ${lie}|to which ${place} ${belong})`,
    ),
    ...askWhether(
      `((which|what) continent ${place} ${be} (in|on)|(on|in) which continent ${place} ${lie}|to which continent ${place} ${belong}|which continent ${place} ${belong} to)`,
    ),
    ...askWhether(
      `(where ${place} ${be}|where ${place} ${be} located|in which part of the world ${place} ${be}|where to find ${place})`,
    ),
    `where ${be} ${place}?`,
    `where ${be} ${place} (located|situated|found|to be found|exactly|on earth)?`,
    `where (can|do|would) (I|you|we) (find|look for) ${place}?`,
    `in (which|what) part of the world ${be} ${place}?`,
    `(which|what) part of the world ${be} ${place} in?`,
    `where (in the world|on the map|on earth|on the globe|on a map) ${be} ${place}?`,
    `${be} ${place} in (Europe|Asia|Africa|America|Oceania)(?| or (Europe|Asia|Africa|America)?| or somewhere else?| or not?)`,
    `(can you|could you|please) (place|locate|find) ${place} on (the|a) (map|globe).`,
    `(I am|I'm|we are|my sister is) (going|flying|moving|travelling) to ${place}. (Where|On which continent|In which part of the world|Which continent) is that?`,
    `(tell me about|what do you know about|describe|tell me something about|say something about) ${place}.`,
    `(what ${be}|what's|have you heard of|do you know|what kind of place ${be}) ${place}?`,
  ];
}
