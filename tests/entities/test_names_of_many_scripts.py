"""Names in thirty scripts: each is the same as itself, another than its neighbour, and can be read in Latin letters."""

import pytest
from anyascii import anyascii

from entities.names.matching import OTHER, RELATED, SAME, NameVariant, compare, normalise_name
from tests.cases import cases

# script: two different companies
SCRIPTS = {
    "Latin": ("Müller Bau", "Schäfer Druck"),
    "Greek": ("Ελληνική Τράπεζα", "Αιγαίο Ναυτιλιακή"),
    "Cyrillic": ("Газпром нефть", "Сбербанк России"),
    "Armenian": ("Արարատ բանկ", "Կոնվերս գործարան"),
    "Georgian": ("თიბისი ბანკი", "ლიბერთი ჯგუფი"),
    "Hebrew": ("בנק לאומי", "תעשיות כימיות"),
    "Arabic": ("مصرف الراجحي", "شركة الاتصالات"),
    "Persian": ("بانک ملت", "گروه صنعتی چادرملو"),
    "Syriac": ("ܒܝܬ ܟܣܦܐ", "ܫܘܬܦܘܬܐ ܚܕܬܐ"),
    "Thaana": ("ދިވެހި ބޭންކް", "މާލެ ވިޔަފާރި"),
    "Ethiopic": ("አዋሽ ባንክ", "የኢትዮጵያ አየር"),
    "Devanagari": ("भारतीय स्टेट बैंक", "टाटा इस्पात"),
    "Bengali": ("সোনালী ব্যাংক", "গ্রামীণ টেলিকম"),
    "Gurmukhi": ("ਪੰਜਾਬ ਬੈਂਕ", "ਅੰਮ੍ਰਿਤਸਰ ਮਿੱਲ"),
    "Gujarati": ("ગુજરાત બેંક", "સુરત કાપડ"),
    "Oriya": ("ଓଡ଼ିଶା ବ୍ୟାଙ୍କ", "କଟକ ଇସ୍ପାତ"),
    "Tamil": ("தமிழ்நாடு வங்கி", "சென்னை துறைமுகம்"),
    "Telugu": ("ఆంధ్ర బ్యాంకు", "హైదరాబాద్ మందులు"),
    "Kannada": ("ಕರ್ನಾಟಕ ಬ್ಯಾಂಕ್", "ಮೈಸೂರು ರೇಷ್ಮೆ"),
    "Malayalam": ("കേരള ബാങ്ക്", "കൊച്ചി കപ്പൽ"),
    "Sinhala": ("ලංකා බැංකුව", "කොළඹ වරාය"),
    "Thai": ("ธนาคารกรุงเทพ", "การบินไทย"),
    "Lao": ("ທະນາຄານລາວ", "ເບຍລາວ"),
    "Tibetan": ("བོད་ལྗོངས་དངུལ་ཁང", "ལྷ་ས་ཚོང་ལས"),
    "Myanmar": ("မြန်မာ့စီးပွားရေးဘဏ်", "ရန်ကုန်လျှပ်စစ်"),
    "Khmer": ("ធនាគារកម្ពុជា", "ភ្នំពេញទឹក"),
    "Mongolian": ("ᠮᠣᠩᠭᠣᠯ ᠪᠠᠩᠬᠢ", "ᠡᠷᠳᠡᠨᠡᠲ ᠦᠢᠯᠡᠳᠪᠦᠷᠢ"),
    "Hangul": ("삼성전자", "현대자동차"),
    "Hiragana": ("あおぞら", "さくら"),
    "Katakana": ("トヨタ", "キヤノン"),
    "Han, simplified": ("中国工商银行", "上海汽车集团"),
    "Han, traditional": ("國泰金融控股", "台灣積體電路製造"),
}


def likeness(one, other):
    return compare(one, NameVariant(other)).score


@cases(("name", "another"), SCRIPTS.values())
def test_a_name_is_the_same_as_itself_and_another_than_its_neighbour(name, another):
    assert normalise_name(name).words
    assert likeness(name, f" {name}. ") == 100
    assert likeness(name, another) <= OTHER


@cases("name", [name for names in SCRIPTS.values() for name in names])
def test_every_script_can_be_read_in_latin_letters(name):
    latin = anyascii(name)
    assert latin.isascii()
    assert any(map(str.isalpha, latin))
    assert normalise_name(name, latin=True).text.isascii()


@cases(
    ("claimed", "name"),
    [
        ("Gazprom Neft", "Газпром нефть"),
        ("Ararat Bank", "Արարատ բանկ"),
        ("Tibisi Banki", "თიბისი ბანკი"),
        ("toyota", "トヨタ株式会社"),
        ("Zhong Guo Gong Shang Yin Xing", "中国工商银行股份有限公司"),
        ("中国工商银行", "Zhongguo Gongshang Yinxing"),
    ],
)
def test_a_transliteration_fits_and_says_that_it_is_one(claimed, name):
    match = compare(claimed, NameVariant(name))
    assert match.score == pytest.approx(SAME, abs=5)
    assert match.score >= SAME
    assert normalise_name(name).text.isascii() or "read in Latin letters" in match.relation


def test_what_only_sounds_alike_is_no_match():
    """健 and 建 are both "jian": another character is another company."""
    assert likeness("健民药业", "建民药业") <= RELATED


@cases(
    ("name", "text", "forms"),
    [
        ("株式会社日立製作所", "日立製作所", ("kk",)),
        ("日立製作所株式会社", "日立製作所", ("kk",)),
        ("주식회사 카카오", "카카오", ("jusik hoesa",)),
        ("삼성전자주식회사", "삼성전자", ("jusik hoesa",)),
        ("华为技术有限公司", "华为技术", ("co ltd",)),
    ],
)
def test_legal_forms_are_known_in_their_own_script(name, text, forms):
    found = normalise_name(name)
    assert (found.text, found.forms) == (text, forms)
