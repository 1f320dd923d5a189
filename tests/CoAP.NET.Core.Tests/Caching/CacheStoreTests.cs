using System.Text;
using CoAP.Caching;
using CoAP.Options;

namespace CoAP.Tests.Caching;

public class CacheStoreTests
{
    private readonly CacheStore _cut = new(maxEntries: 3, maxBytes: 100_000, maxErrorAge: 300 * TimeSpan.TicksPerSecond);

    private static long Seconds(double value) => (long)(value * TimeSpan.TicksPerSecond);

    private static ETag Tag(byte value) => new(new[] { value });

    private static CacheRequest Get(string path, params CoapOption[] options) => Request(RequestCode.Get, path, options);

    private static CacheRequest Request(CoapCode method, string path, params CoapOption[] options) =>
        new("coap://host:5683", method, OptionSet.Create([new UriPath(path), .. options]), default);

    private static StoredResponse Response(CoapCode code, string text = "", params CoapOption[] options) =>
        new(code, OptionSet.Create(options), Encoding.UTF8.GetBytes(text), default);

    private static StoredResponse Content(string text, params CoapOption[] options) => Response(ResponseCode.Content, text, options);

    private CacheOutcome Exchange(in CacheRequest request, StoredResponse response, double at = 0) =>
        _cut.End(_cut.Begin(request, useStored: true, Seconds(at)), response, Seconds(at), out _);

    private string? Hit(in CacheRequest request, double at = 0) =>
        _cut.Begin(request, useStored: true, Seconds(at)) is { IsFresh: true, Found: { } found } ? Encoding.UTF8.GetString(found.Payload.Span) : null;

    [Theory, Trait("RFC", "7252 5.6.1"), Trait("RFC", "7252 5.4.4")]
    [InlineData(60, true), InlineData(60.1, false)]
    public void Without_Max_Age_a_response_is_fresh_for_sixty_seconds(double at, bool isFresh)
    {
        Exchange(Get("a"), Content("1"));

        Hit(Get("a"), at).Should().Be(isFresh ? "1" : null);
    }

    [Theory, Trait("RFC", "7252 5.9")]
    [InlineData(4, 4, 300, true), InlineData(4, 4, 300.1, false), InlineData(5, 0, 299, true)]
    [InlineData(5, 0, 1e6, false), InlineData(2, 5, 1e6, true)]
    public void An_error_is_fresh_for_a_limited_time(byte codeClass, byte detail, double at, bool isFresh)
    {
        Exchange(Get("a"), Response(new CoapCode(codeClass, detail), "1", new MaxAge(uint.MaxValue)));

        Hit(Get("a"), at).Should().Be(isFresh ? "1" : null);
    }

    [Fact]
    public void Without_time_for_errors_none_is_stored()
    {
        var cut = new CacheStore(maxEntries: 3, maxBytes: 100_000, maxErrorAge: 0);

        cut.Put(Get("a"), Response(ResponseCode.NotFound), now: 0);

        cut.Count.Should().Be(0);
    }

    [Fact, Trait("RFC", "7252 5.10.5")]
    public void With_a_Max_Age_of_zero_it_is_never_fresh_and_without_a_tag_not_kept()
    {
        Exchange(Get("a"), Content("1", new MaxAge(0)));
        Exchange(Get("b"), Content("2", new MaxAge(0), Tag(1)));

        _cut.Count.Should().Be(1);
        Hit(Get("b")).Should().BeNull();
        _cut.Begin(Get("b"), useStored: true, 0).Validation.Should().Be(Tag(1));
    }

    [Fact, Trait("RFC", "7252 5.10.5")]
    public void The_longest_Max_Age_is_136_years()
    {
        Exchange(Get("a"), Content("1", new MaxAge(uint.MaxValue)));

        Hit(Get("a"), 4_294_967_295d).Should().Be("1");
        Hit(Get("a"), 4_294_967_296d).Should().BeNull();
    }

    [Fact]
    public void A_clock_that_goes_backwards_does_not_age_responses()
    {
        Exchange(Get("a"), Content("1"), at: 1000);

        var ticket = _cut.Begin(Get("a"), useStored: true, Seconds(10));

        ticket.IsFresh.Should().BeTrue();
        ticket.Age.Should().Be(0);
    }

    [Theory, Trait("RFC", "7252 5.6"), Trait("RFC", "7252 5.9.2"), Trait("RFC", "7252 5.9.3"), Trait("RFC", "7252 5.9.1.1"), Trait("RFC", "7252 5.9.1.5")]
    [InlineData(1, 0x45, true)]     // 2.05
    [InlineData(1, 0x47, false)]    // 2.07: nobody knows it
    [InlineData(1, 0x41, false)]
    [InlineData(1, 0x84, true)]     // 4.04
    [InlineData(1, 0xA0, true)]     // 5.00
    [InlineData(1, 0xA3, false)]    // 5.03: says when to ask again
    [InlineData(1, 0x9D, false)]    // 4.29: as well
    [InlineData(5, 0x45, true)]
    [InlineData(2, 0x45, false)]    // POST
    [InlineData(3, 0x84, false)]
    public void The_code_decides_whether_a_response_is_stored(byte method, byte code, bool isKept)
    {
        Exchange(Request(new CoapCode(method), "a"), Response(new CoapCode(code)));

        _cut.Count.Should().Be(isKept ? 1 : 0);
    }

    [Fact]
    public void A_part_of_a_body_is_not_kept_and_neither_is_what_is_meant_for_one_request()
    {
        Exchange(Get("a"), Content("1", new Block2(0, true, 2)));
        Exchange(Get("b"), Content("1", new Block2(1, false, 2)));
        Exchange(Get("c"), Response(ResponseCode.Unauthorized, "", new Echo(new byte[] { 1 })));

        _cut.Count.Should().Be(0);
    }

    [Fact, Trait("RFC", "7252 5.6.1")]
    public void A_new_response_takes_the_place_of_the_old_one_even_if_it_cannot_be_kept()
    {
        Exchange(Get("a"), Content("1"));

        _cut.End(_cut.Begin(Get("a"), useStored: false, 0), Content("2", new MaxAge(0)), 0, out _);

        _cut.Count.Should().Be(0);
    }

    [Fact]
    public void Requests_that_move_blocks_observe_validate_or_want_no_response_are_not_answered()
    {
        Exchange(Get("a"), Content("1"));

        foreach (var option in new CoapOption[] { new Observe(0), new Block2(0, false, 2), new QBlock2(0, false, 2), Tag(1), new NoResponse(2), new Oscore(default) })
        {
            Hit(Get("a", option)).Should().BeNull(option.ToString());
        }
    }

    [Fact, Trait("RFC", "7252 5.6.2")]
    public void An_old_response_is_confirmed_by_its_tag_and_is_fresh_again_for_the_new_Max_Age()
    {
        Exchange(Get("a"), Content("1", Tag(1), new MaxAge(10)));
        var ticket = _cut.Begin(Get("a"), useStored: true, Seconds(20));

        var outcome = _cut.End(ticket, Response(ResponseCode.Valid, "", Tag(1), new MaxAge(100)), Seconds(20), out var stored);

        (ticket.Validation, outcome).Should().Be((Tag(1), CacheOutcome.UseStored));
        Encoding.UTF8.GetString(stored!.Payload.Span).Should().Be("1");
        Hit(Get("a"), 120).Should().Be("1");
        Hit(Get("a"), 121).Should().BeNull();
    }

    // Content-Format (12) is safe to forward and replaced; Max-Age is replaced by its default; 65002 is unsafe and stays.
    [Fact, Trait("RFC", "7252 5.9.1.3")]
    public void A_2_03_replaces_the_options_that_are_safe_to_forward()
    {
        var (unsafeOld, safeNew) = (new UnknownOption(65_002, new byte[] { 1 }), new UnknownOption(65_000, new byte[] { 3 }));
        Exchange(Get("a"), Content("1", Tag(1), new MaxAge(10), new ContentFormat(0), unsafeOld, new UnknownOption(65_000, new byte[] { 2 })));

        _cut.End(_cut.Begin(Get("a"), true, Seconds(20)), Response(ResponseCode.Valid, "", Tag(1), new ContentFormat(50), safeNew), Seconds(20), out var stored);

        stored!.Options.Should().Equal(Tag(1), new ContentFormat(50), safeNew, unsafeOld);
        stored.MaxAge.Should().Be(60);
    }

    [Fact, Trait("RFC", "7252 5.6.2")]
    public void Any_other_response_takes_the_place_of_the_old_one()
    {
        Exchange(Get("a"), Content("1", Tag(1), new MaxAge(10)));

        Exchange(Get("a"), Content("2", Tag(2)), at: 20).Should().Be(CacheOutcome.UseResponse);

        Hit(Get("a"), 21).Should().Be("2");
    }

    [Theory]
    [InlineData(true), InlineData(false)]
    public void A_2_03_for_an_unknown_tag_or_without_one_asks_for_the_request_once_more(bool hasTag)
    {
        Exchange(Get("a"), Content("1", Tag(1), new MaxAge(10)));

        var outcome = Exchange(Get("a"), hasTag ? Response(ResponseCode.Valid, "", Tag(9)) : Response(ResponseCode.Valid), at: 20);

        outcome.Should().Be(CacheOutcome.Repeat);
        Hit(Get("a"), 20).Should().BeNull();
    }

    [Fact]
    public void A_response_that_was_pushed_out_while_it_was_validated_is_still_the_answer()
    {
        Exchange(Get("a"), Content("1", Tag(1), new MaxAge(10)));
        var ticket = _cut.Begin(Get("a"), useStored: true, Seconds(20));
        _cut.Clear();

        _cut.End(ticket, Response(ResponseCode.Valid, "", Tag(1)), Seconds(20), out var stored).Should().Be(CacheOutcome.UseStored);

        stored!.Payload.Length.Should().Be(1);
        _cut.Count.Should().Be(0, "it was asked before the change");
    }

    [Fact]
    public void A_caller_that_validates_itself_gets_2_03_and_the_stored_response_becomes_fresh()
    {
        Exchange(Get("a"), Content("1", Tag(1), new MaxAge(10)));

        Exchange(Get("a", Tag(1), Tag(2)), Response(ResponseCode.Valid, "", Tag(1)), at: 20).Should().Be(CacheOutcome.UseResponse);

        Hit(Get("a"), 30).Should().Be("1");
    }

    [Theory, Trait("RFC", "7252 5.9.1")]
    [InlineData(2, 0x41), InlineData(2, 0x44), InlineData(3, 0x44), InlineData(4, 0x42), InlineData(6, 0x44), InlineData(7, 0x44)]
    public void A_success_of_a_method_that_changes_something_makes_all_stored_forms_stale(byte method, byte code)
    {
        Exchange(Get("a"), Content("1", Tag(1)));
        Exchange(Get("a", new Accept(50)), Content("2"));
        Exchange(Get("b"), Content("3"));

        Exchange(Request(new CoapCode(method), "a"), Response(new CoapCode(code)));

        Hit(Get("a")).Should().BeNull();
        _cut.Begin(Get("a"), useStored: true, 0).Validation.Should().Be(Tag(1), "it can still be confirmed");
        Hit(Get("a", new Accept(50))).Should().BeNull();
        Hit(Get("b")).Should().Be("3");
    }

    [Fact, Trait("RFC", "7252 5.9.1")]
    public void An_error_of_a_method_that_changes_something_leaves_what_is_stored()
    {
        Exchange(Get("a"), Content("1"));

        Exchange(Request(RequestCode.Put, "a"), Response(ResponseCode.Forbidden));

        Hit(Get("a")).Should().Be("1");
    }

    [Fact]
    public void A_change_without_a_response_may_have_been_made()
    {
        Exchange(Get("a"), Content("1"));

        _cut.Fail(_cut.Begin(Request(RequestCode.Put, "a"), useStored: true, 0));

        Hit(Get("a")).Should().BeNull();
    }

    [Fact]
    public void A_read_without_a_response_changes_nothing()
    {
        Exchange(Get("a"), Content("1", Tag(1), new MaxAge(1)));

        _cut.Fail(_cut.Begin(Get("a"), useStored: true, Seconds(5)));

        _cut.Begin(Get("a"), useStored: true, Seconds(6)).Validation.Should().Be(Tag(1));
    }

    [Fact, Trait("RFC", "7252 5.10.7")]
    public void A_created_resource_is_invalidated_at_its_location()
    {
        Exchange(Request(RequestCode.Get, "new", new UriPath("7"), new UriQuery("x=1")), Content("1"));

        Exchange(Request(RequestCode.Post, "a"), Response(ResponseCode.Created, "", new LocationPath("new"), new LocationPath("7"), new LocationQuery("x=1")));

        Hit(Request(RequestCode.Get, "new", new UriPath("7"), new UriQuery("x=1"))).Should().BeNull();
    }

    [Fact]
    public void A_response_to_a_request_from_before_a_change_is_not_stored()
    {
        var ticket = _cut.Begin(Get("a"), useStored: true, 0);
        Exchange(Request(RequestCode.Put, "a"), Response(ResponseCode.Changed));

        _cut.End(ticket, Content("before"), 0, out _);

        Hit(Get("a")).Should().BeNull();
    }

    [Fact]
    public void The_one_that_was_used_least_recently_makes_room()
    {
        foreach (var path in new[] { "a", "b", "c" }) { Exchange(Get(path), Content(path)); }
        Hit(Get("a")).Should().Be("a");

        Exchange(Get("d"), Content("d"));

        new[] { "a", "b", "c", "d" }.Select(path => Hit(Get(path))).Should().Equal("a", null, "c", "d");
    }

    [Fact]
    public void Bytes_are_bounded_and_what_is_larger_than_all_is_not_kept()
    {
        Exchange(Get("a"), Content(new string('a', 60_000)));
        Exchange(Get("b"), Content(new string('b', 60_000)));
        Exchange(Get("c"), Content(new string('c', 100_000)));

        Hit(Get("a")).Should().BeNull();
        Hit(Get("b")).Should().NotBeNull();
        _cut.Bytes.Should().BeInRange(60_000, 62_000);
        _cut.Clear();
        (_cut.Count, _cut.Bytes).Should().Be((0, 0L));
    }

    [Fact, Trait("RFC", "7641 3.3.1")]
    public void A_notification_takes_the_place_of_what_is_stored_and_is_kept_without_its_number()
    {
        Exchange(Get("a"), Content("1"));

        _cut.Put(Get("a", new Observe(0)), Content("2", new Observe(12)), now: 0);

        Hit(Get("a")).Should().Be("2");
        _cut.Begin(Get("a"), useStored: true, 0).Found!.Options.Should().BeEmpty();
    }
}
