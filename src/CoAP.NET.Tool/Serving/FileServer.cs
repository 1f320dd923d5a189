using System.Diagnostics.CodeAnalysis;
using CoAP.Discovery;
using CoAP.Options;
using CoAP.Tool.Printing;

namespace CoAP.Tool.Serving;

/// <summary>Maps the files of a folder as resources: GET with entity tags, blocks and observation, lists of folders, and PUT and DELETE if allowed.</summary>
/// <param name="folder">The folder.</param>
/// <param name="watched">The files that clients observe.</param>
/// <param name="time">The clock.</param>
internal sealed class FileServer(ServedFolder folder, WatchedFiles watched, TimeProvider time)
{
    /// <summary>The most files that PUT lets a folder have. It is also refused if the disk has room for less than two of the largest bodies.</summary>
    public const int MaxFilesPerFolder = 10_000;

    private const int MaxFilters = 16;
    private const string Everything = "{*path}", RootPath = "/";

    private static readonly CoapResponse NoFile = Response.Error(ResponseCode.Forbidden, "A pipe, socket or device is neither replaced nor deleted.");

    private readonly FolderListing _listing = new(folder, time);
    private readonly KeyVerdicts _keys = new(time);
    private Resource? _root, _files;
    private long _maxUpload;

    /// <summary>Maps the resources. If clients can change files, deletes what a killed server has left of their uploads.</summary>
    /// <param name="resources">The map of the server.</param>
    /// <param name="maxUpload">The largest body of a PUT in bytes; <see langword="null"/> if clients cannot change files.</param>
    public void Map(ResourceMap resources, long? maxUpload)
    {
        resources.At(LinkFormat.WellKnownPath).Get(request => List(request, _listing.OfTree), HandlerMode.Buffered).Produces(ContentFormats.LinkFormat);
        _root = resources.At(RootPath).Get(ListRoot, HandlerMode.Buffered).Produces(ContentFormats.LinkFormat).Observable().SharedByAll();
        _files = resources.At(Everything).Get(Get, HandlerMode.Buffered).WithTag(TagOf).Observable().SharedByAll();
        _maxUpload = maxUpload ?? 0;
        if (maxUpload is not { } size) { return; }
        Upload.DeleteUnfinished(folder.Root);
        _files.Put(PutAsync, HandlerMode.Buffered).Delete(Delete, HandlerMode.Buffered).StreamsBody(size);
    }

    /// <summary>Notifies the observers of files that have changed.</summary>
    public void NotifyChanges()
    {
        foreach (var path in watched.TakeChanges())
        {
            if (path == RootPath) { _root?.NotifyChanged(); }
            else { _files?.NotifyChanged(path); }
        }
    }

    private CoapResponse ListRoot(IncomingRequest request)
    {
        if (IsObserved(request)) { watched.Add(RootPath, folder.Root, ServedFile.StateOf(folder.Root), ClientOf(request)); }
        return List(request, () => _listing.Of(folder.Root));
    }

    // Called for each GET before the handler, and for each notification.
    private ETag? TagOf(IncomingRequest request)
    {
        var segments = SegmentsOf(request);
        if (!TryLocate(segments, out var path) || (segments[^1].Length == 0 && !Directory.Exists(path))) { return null; }
        var tag = Guard(() => ServedFile.TagOf(path));
        // A name that does not exist is not watched: invented names would push out the files that others observe.
        if (IsObserved(request) && (tag ?? ServedFile.StateOf(path)) is { } state) { watched.Add(request.Path, path, state, ClientOf(request)); }
        // 4.06 comes before 2.03 (RFC 7252, section 5.10.4), so the handler decides.
        return request.Method == RequestCode.Get && request.Accept is { } accepted && accepted != FileFormat.Of(path) ? null : tag;
    }

    // A private key may be in any file, so its content counts.
    private bool TryLocate(string[] segments, [NotNullWhen(true)] out string? path) =>
        folder.TryLocate(segments, out path) && !_keys.AreIn(path);

    private static bool IsObserved(IncomingRequest request) => request.Method == RequestCode.Get && request.Options.Get<Observe>() is { Value: 0 };

    // One client may have many ports and, with IPv6, 2^64 addresses. An address that may be forged is no client.
    private static Account? ClientOf(IncomingRequest request) => !request.IsPeerVerified ? null
        : request.Credentials?.Identity is { } identity ? Account.Of(identity)
        : Account.Of(request.Peer);

    private CoapResponse Get(IncomingRequest request)
    {
        var segments = SegmentsOf(request);
        if (!TryLocate(segments, out var path)) { return Response.NotFound; }
        if (Directory.Exists(path)) { return List(request, () => _listing.Of(path)); }
        if (segments[^1].Length == 0) { return Response.NotFound; }
        var format = FileFormat.Of(path);
        return request.Accept is { } accepted && accepted != format
            ? Response.Error(ResponseCode.NotAcceptable, $"The file has Content-Format {format}.")
            : Guard(() => Read(request, path, format));
    }

    private static CoapResponse Read(IncomingRequest request, string path, uint format)
    {
        using var file = ServedFile.OpenRead(path);
        if (file is null) { return File.Exists(path) ? Response.Content(ReadOnlyMemory<byte>.Empty, format, ServedFile.Empty) : Response.NotFound; }
        var tag = FileTag.Of(file);
        if (file.Length > FileTag.ShortFile)
        {
            RequestLog.SetSize(request, file.Length);
            return Response.Content(new UnchangedStream(path, file.Length, File.GetLastWriteTimeUtc(file.SafeFileHandle)), format, length: null, tag);
        }
        var content = new byte[FileTag.ShortFile];
        return Response.Content(content.AsMemory(0, file.ReadAtLeast(content, content.Length, throwOnEndOfStream: false)), format, tag);
    }

    private async ValueTask<CoapResponse> PutAsync(IncomingRequest request, CancellationToken cancellationToken)
    {
        var segments = SegmentsOf(request);
        if (!TryLocate(segments, out var path)) { return Response.Error(ResponseCode.Forbidden, "This name is not served."); }
        if (Directory.Exists(path) || segments[^1].Length == 0) { return Response.Error(ResponseCode.MethodNotAllowed, "A folder cannot be written."); }
        if (SpecialFile.IsAt(path)) { return NoFile; }
        var parent = Path.GetDirectoryName(path)!;
        if (!Directory.Exists(parent)) { return Response.Error(ResponseCode.NotFound, "There is no such folder."); }
        if (IsCoded(request.ContentFormat)) { return Response.Error(ResponseCode.UnsupportedContentFormat, "A compressed body would be served as if it were not compressed."); }
        if (new DriveInfo(parent).AvailableFreeSpace < 2 * _maxUpload) { return Response.Error(ResponseCode.ServiceUnavailable, "The disk is almost full."); }
        var isNew = !File.Exists(path);
        if (isNew && Directory.EnumerateFileSystemEntries(parent).Take(MaxFilesPerFolder).Count() == MaxFilesPerFolder)
        {
            return Response.Error(ResponseCode.Forbidden, $"The folder already has {MaxFilesPerFolder} files.");
        }
        try
        {
            await Upload.ReplaceAsync(path, request.Body, cancellationToken).ConfigureAwait(false);
            _files!.NotifyChanged(request.Path);
            CoapOption[] options = ServedFile.TagOf(path) is { } tag ? [tag] : [];
            return new CoapResponse(isNew ? ResponseCode.Created : ResponseCode.Changed) { Options = [.. options] };
        }
        catch (Exception exception) when (exception is UnauthorizedAccessException or IOException)
        {
            return Refusal(exception);
        }
    }

    private CoapResponse Delete(IncomingRequest request)
    {
        var segments = SegmentsOf(request);
        if (!TryLocate(segments, out var path)) { return Response.Error(ResponseCode.Forbidden, "This name is not served."); }
        if (Directory.Exists(path) || segments[^1].Length == 0) { return Response.Error(ResponseCode.MethodNotAllowed, "A folder cannot be deleted."); }
        // The target would be deleted, and the link would stay.
        if (Path.Combine([folder.Root, .. segments]) != path) { return Response.Error(ResponseCode.Forbidden, "A symbolic link cannot be deleted."); }
        if (SpecialFile.IsAt(path)) { return NoFile; }
        return Guard(() =>
        {
            // A file that does not exist is deleted already (RFC 7252, section 5.8.4).
            if (File.Exists(path)) { File.Delete(path); }
            _files!.NotifyChanged(request.Path);
            return Response.Deleted;
        });
    }

    private static CoapResponse List(IncomingRequest request, Func<LinkList> list)
    {
        if (request.Accept is { } accepted && accepted != ContentFormats.LinkFormat)
        {
            return Response.Error(ResponseCode.NotAcceptable, "The list has Content-Format 40 (application/link-format).");
        }
        var filters = request.Options.GetAll<UriQuery>();
        if (filters.Count > MaxFilters)
        {
            return Response.Error(ResponseCode.BadRequest, $"The request has {filters.Count} filters; at most {MaxFilters} are allowed.");
        }
        var listed = Guard(list);
        if (filters.Count > 0)
        {
            listed = new LinkList([.. new LinkFilter(filters.Select(static filter => filter.Value)).Apply(listed.Links)]);
        }
        return Response.Content(listed.Text, ContentFormats.LinkFormat, listed.Tag);
    }

    private static T Guard<T>(Func<T> act)
    {
        try { return act(); }
        catch (Exception exception) when (exception is UnauthorizedAccessException or IOException)
        {
            var refusal = Refusal(exception);
            throw new CoapResponseException(refusal.Code, refusal.PayloadText);
        }
    }

    // The message of the exception contains the path of the server, which is nobody's business.
    private static CoapResponse Refusal(Exception exception) => exception is UnauthorizedAccessException
        ? Response.Error(ResponseCode.Forbidden, "The system does not permit this.")
        : Response.Error(ResponseCode.InternalServerError, "The file cannot be accessed.");

    private static bool IsCoded(uint? format) => format is { } number && ContentFormats.TryGetName(number, out _, out var coding) && coding is not null;

    private static string[] SegmentsOf(IncomingRequest request) => [.. request.Options.GetAll<UriPath>().Select(static segment => segment.Value)];
}
