import { words } from './rows.ts';

/** Words whose spelling only the evaluation asks for; in training they stand within longer words, such as 'gardenbook'. */
export const heldOutWords = words(`
sunlight teapot bedroom raincoat football snowman bookshop toothbrush farmer painter driver singer helper worker
baker teacher hunter garden market basket planet winter summer letter number butter silver bread stone train green
plate spoon chair horse river cloud tiger lemon melon carrot rabbit parrot button cotton pepper ladder hammer
window yellow pillow mirror doctor motor orange person wonder candle handle pencil kitten mitten
`);

/** Words to spell, count and write in capitals. */
export const spellingWords = words(`
able about above across act add afraid after again age agree air all allow alone along also always amount anger
animal answer apple area arm army around arrive art ask autumn away baby back bad bag ball banana bank bar base
bath beach bean bear beat beauty bed bee before begin behind bell below bench best better big bill bird birth bit
black blanket blood blow blue board boat body bone book boot border born both bottle bottom bowl box boy branch
brave break breath brick bridge bright bring broad brother brown brush build burn bus bush busy cake call calm
camera camp can cap car card care carry case castle cat catch cave center chain chalk chance change cheap check
cheese cherry chest chicken child choice church circle city class clay clean clear clever climb clock close cloth
coast coat coffee coin cold collar color come common compare cook cool copper corn corner cost count country
course cover cow crack cross crowd crown cry cup curtain curve cut dance danger dark daughter day deep deer degree
desk develop dinner dirty discover dish distance divide dog dollar door double doubt down draw dream dress drink
drive drop dry duck dust each ear early earth east easy eat edge effect egg eight elbow electric elephant end
energy engine enjoy enough evening event every example eye face fact fall family famous far farm fast father
feather feel fence field fight fill film find fine finger finish fire first fish five flag flat floor flour flower
fly fold food foot force forest forget fork form forward found four fox free fresh friend frog front fruit full fun
funny game gate gentle giant gift girl give glad glass glove goat gold good goose grain grape grass great grey
ground group grow guess guest guide guitar hair half hall hand happy harbor hard hat head hear heart heat heavy
height help hen hide high hill history hold hole holiday home honest honey hope hospital hot hotel hour house
human hundred hungry ice idea important inside island jacket jam join joke journey judge juice jump jungle keep
kettle key kind king kitchen knee knife knock lady lake lamb lamp land language large last late laugh law lead leaf
learn leather left leg lesson level library life lift light lily line lion lip list listen little live lock long
look lost loud love low lucky lunch machine magic make man map mark mask match meal measure meat medicine meet
memory metal middle milk mind minute moment money monkey month moon morning mother mountain mouse mouth move music
nail name narrow nation nature near neck need needle nest never new night nine noise noon north nose note nothing
notice nurse ocean offer office oil old onion open opinion order other outside oven owl own owner pack page pain
paint pair palace paper parent park part party pass past path peace pear pen people perfect phone photo piano
picture piece pig pilot pink pipe place plan plant play please plenty plum pocket point police pond poor potato
pound present pretty price prince print prison prize problem promise proud pull pupil purple push queen question
quick quiet race radio rain raise reach read ready reason record red remember rest rice rich ride right ring rise
road rock roof room root rope rose round row rule run sad safe sail salt same sand sauce save say school science
sea season seat second secret see seed sell send sense seven shade shadow shake shape share sharp sheep shelf shell
ship shirt shoe shop short shoulder shout show shut sick side sign silence silk simple sing sister sit six size
skin skirt sky sleep slow small smell smile smoke smooth snake snow soap sock soft soil soldier son song soon sort
sound soup south space speak special speed spell spider spring square stamp stand star start station stay steam
steel step stick still stomach stop storm story street strong student study sugar suit sun sure surface sweet swim
sword table tail talk tall taste tea teach team tell ten tent test thank thick thin thing think third three throat
throw thunder ticket tidy tie time tired toast today toe tomato tomorrow tongue tooth top touch towel tower town
toy trade travel tree trip trouble truck true trust truth try turn twelve twenty twice two ugly uncle under
understand until upper use useful valley value van vegetable very village violin visit voice wait wake walk wall
want war warm wash watch water wave way weak wear weather week weight welcome west wet wheel while whisper white
whole wide wife wild win wind wine wing wire wise wish wolf woman wood wool word work world worry write wrong year
young zebra zero
`).filter((word) => !heldOutWords.includes(word));
