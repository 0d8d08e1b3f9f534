/**
 * Text from which the merges are learnt: English for ordinary tokens, other scripts and emoji so that the
 * vocabulary also holds whole characters, pieces of characters, and pieces that straddle two of them.
 */
export const sampleText = `
Once upon a time there was a little house at the end of the road, and in the house there was a fire that
never went out. The people who came to the house were tired and cold, and the fire made them warm again.
They told one another stories about the sea and the mountains, about other people and other times, until
the night was over. In the morning they thanked the fire and went on their way through the snow.
Every story that was told there is still in the walls of the house. When the wind comes from the north you
can hear them: one about the fox that learned to read, one about the king who could not sleep, and one
about the girl who asked the moon for a light and was given the whole of the sky to keep.
What is the answer? It is 42. How many stars are there? There are 1234567890 of them, more or less.

Grüße aus Österreich: die Füße, die Tür, das Mädchen, die Brücke, schöne Häuser und größere Bäume.
Être ou ne pas être, où était la forêt? Le garçon a été à l’école, la fenêtre était fermée, ça a été.
Добрый день, как дела? Всё хорошо, спасибо. Дом стоит на берегу моря, и в доме горит огонь.
Καλημέρα, τι κάνεις; Το σπίτι είναι στην άκρη του δρόμου και η φωτιά δεν σβήνει ποτέ.
שלום לכולם, מה שלומכם? הבית בסוף הדרך והאש לא כבתה.
昔々ある所に小さな家がありました。その家の火はいつも燃えていました。人々はそこで物語を話しました。
从前有一座小房子，房子里有一团火，火从来没有灭过。人们在那里讲故事，讲大海和高山的故事。
옛날 옛적에 길 끝에 작은 집이 있었습니다. 그 집의 불은 꺼지지 않았습니다.
😀😃😄😁😆😅😂🙂😉😊🔥🔥🏠🏡🌊🌋🌌🌍🌎🌏🎉🎊🎈🚀🚁🚂 €100 £50 ¥900 → ← ↑ ↓ ∑ ∞ ≈ ≠ ½ ¼
`;
